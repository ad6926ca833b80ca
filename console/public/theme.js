// Runs before the first paint, so that a chosen theme never flashes in the other one.
try {
  const theme = localStorage.getItem('pilothouse:theme');
  if (theme === '"light"' || theme === '"dark"') {
    document.documentElement.dataset.theme = theme.slice(1, -1);
  }
} catch {
  // Storage is switched off: the system's theme applies.
}
