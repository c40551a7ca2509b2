import styles from './add-workspace.module.css'
import { useSetup } from './add-workspace-state.ts'

const CHOICES = [
  {
    value: 'none',
    title: 'In your folder',
    text: 'The agent edits your files directly, verified or not.',
    places: ['agent', 'your folder'],
  },
  {
    value: 'worktree',
    title: 'In a worktree',
    text: 'The agent edits a copy of the last commit, and only verified work reaches your branch, when you say so.',
    places: ['agent', 'copy', '✓', 'your branch'],
  },
] as const

/** For a git repository: whether the agent works in the folder itself or in separate trees. */
export function IsolationChoice() {
  const chosen = useSetup((state) => state.isolation)
  const change = useSetup((state) => state.change)
  return (
    <fieldset className="stack">
      <legend className={styles.legend}>Where the agent works (you can switch later)</legend>
      <div className={styles.choices}>
        {CHOICES.map(({ value, title, text, places }) => (
          <label key={value} className={styles.option}>
            <input
              type="radio"
              name="isolation"
              checked={value === chosen}
              onChange={() => change({ isolation: value, configuration: null, report: null, dryRun: null })}
            />
            <span className="medium">{title}</span>
            <span className={styles.optionText}>{text}</span>
            <Picture places={places} />
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const GAP = 16

/** Boxes with arrows between them; the text next to it says the same. */
function Picture({ places }: { places: readonly string[] }) {
  const widths = places.map((place) => 12 + place.length * 5.5)
  return (
    <svg className={styles.picture} viewBox="0 0 220 26" aria-hidden>
      {places.map((place, at) => {
        const before = widths.slice(0, at).reduce((sum, width) => sum + width + GAP, 1)
        const width = widths[at] ?? 0
        return (
          <g key={place} transform={`translate(${before} 1)`}>
            {at > 0 && <path d={`M${1 - GAP} 12h${GAP - 2}l-4 -3m4 3l-4 3`} />}
            <rect width={width} height="24" rx="5" />
            <text x={width / 2} y="16">
              {place}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
