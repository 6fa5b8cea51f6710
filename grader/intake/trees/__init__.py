"""Where submissions lie: folders, zips and commits, each as a tree of names, sizes and bytes."""
