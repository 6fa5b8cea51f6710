
// Shows how far the run is.  Where there are new results it loads the page again, until a person uses it.
(() => {
  const box = document.getElementById('watched');
  const [soFar, over] = [box.querySelector('span'), box.querySelector('[hidden]')];
  const pause = document.createElement('button');
  pause.type = 'button';
  box.querySelector('a').after(' or ', pause);
  let stopped = false;
  const say = () => { pause.textContent = stopped ? 'load it by itself' : 'stop loading it by itself'; };
  pause.addEventListener('click', () => { stopped = !stopped; say(); });
  say();
  for (const kind of ['keydown', 'pointerdown', 'wheel', 'touchstart'])
    addEventListener(kind, (event) => { if (event.target !== pause) { stopped = true; say(); } }, {passive: true});
  const look = async () => {
    try {
      const {marked, of, proof} = await (await fetch('status', {cache: 'no-store'})).json();
      // After the run another program may have the port.  It never saw the secret, which no request holds.
      if (proof !== box.dataset.proof) throw new Error('another server');
      soFar.textContent = `${marked} of ${of} marked`;
      if (!stopped && marked !== Number(box.dataset.marked)) location.reload();
      setTimeout(look, 2000);
    } catch {
      box.querySelector('h2').textContent = 'No longer running';
      box.querySelector('p').hidden = true;
      over.hidden = false;
    }
  };
  setTimeout(look, 2000);
})();
