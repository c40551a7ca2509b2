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
    <fieldset className={styles.options}>
      <legend className={styles.legend}>Where the agent works (you can switch later)</legend>
      <div className={styles.templates}>
        {CHOICES.map(({ value, title, text, places }) => (
          <label key={value} className={styles.option}>
            <input
              type="radio"
              name="isolation"
              checked={value === chosen}
              onChange={() => change({ isolation: value, configuration: null, report: null, dryRun: null })}
            />
            <span className={styles.optionTitle}>{title}</span>
            <span className={styles.optionText}>{text}</span>
            <Picture places={places} />
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const WIDTH = 300
const BOX = 64

/** Boxes with arrows between them; the words beside it say the same. */
function Picture({ places }: { places: readonly string[] }) {
  const step = (WIDTH - BOX - 2) / Math.max(1, places.length - 1)
  return (
    <svg className={styles.picture} viewBox={`0 0 ${WIDTH} 26`} aria-hidden>
      <path d={`M1 13H${WIDTH - 1}`} />
      {places.map((place, at) => (
        <g key={place} transform={`translate(${at * step + 1} 1)`}>
          <rect width={BOX} height="24" rx="5" />
          <text x={BOX / 2} y="16">
            {place}
          </text>
        </g>
      ))}
    </svg>
  )
}
