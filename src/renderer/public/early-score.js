// A classic script at the end of the body: it draws the scores that were last known, before the app has loaded and its host has
// answered. src/renderer/src/features/early/last-known.ts writes them down, and takes this away.
try {
  const [, asked] = /^#\/w\/([^/?]+)/.exec(location.hash) ?? []
  const isStart = /^#?\/?$/.test(location.hash)
  const known = JSON.parse(localStorage.getItem('pulseward-last-known') ?? '[]')
  const shown = known.filter(({ id }) => isStart || id === decodeURIComponent(asked))
  const line = (className, text) => {
    const element = document.createElement('p')
    element.className = className
    element.textContent = text
    return element
  }
  document.getElementById('early').append(
    ...shown.flatMap(({ name, score, isNegative, rest }) => {
      const points = line('early-score', score)
      points.dataset.negative = isNegative
      return [line('early-name', name), points, line('early-rest', rest)]
    }),
  )
} catch {
  // Nothing is known, or without storage: the outline alone is shown.
}
