// The staff's page of a student: the arrow keys lead to the students beside; a link opens what it leads into.
(() => {
  const reveal = () => {
    const found = document.getElementById(location.hash.slice(1));
    if (!found) return;
    for (let one = found.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
    const inside = found.matches("details") ? found : found.querySelector(":scope > details");
    if (inside) inside.open = true;
    found.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select, [tabindex]")) return;
    const way = {ArrowLeft: "prev", ArrowRight: "next"}[event.key];
    const link = way && document.querySelector(`a[rel=${way}]`);
    if (link) { event.preventDefault(); link.click(); }
  });
})();
