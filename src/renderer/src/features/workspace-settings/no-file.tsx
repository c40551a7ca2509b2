import { useAnswer } from '../../store/use-answer.ts'
import { Button } from '../../ui/button.tsx'
import type { Draft } from './use-draft.ts'
import styles from './workspace-settings.module.css'

/** Shown if the folder has no `pulseward.toml`: starts one with an agent found on this machine, or with the approved copy. */
export function NoFile({ draft }: { draft: Draft }) {
  const { value } = useAnswer((api) => api.agents.discover, undefined)
  const found = value?.agents.filter((agent) => agent.found) ?? []
  const { approvedText } = draft.report.trust
  return (
    <section className="stack" aria-label="No pulseward.toml yet">
      <h2 className="title">There is no pulseward.toml here</h2>
      <p className={styles.note}>
        It names the agent and how its work is measured. Start one here; nothing is written until you save it.
      </p>
      <div className={styles.dialogActions}>
        {approvedText !== null && (
          <Button look="primary" onClick={() => draft.write(approvedText)}>
            Start with the approved copy
          </Button>
        )}
        {found.map(({ preset, name }) => (
          <Button key={preset} onClick={() => draft.write(beginning(`preset = ${JSON.stringify(preset)}`))}>
            Begin with {name}
          </Button>
        ))}
        <Button onClick={() => draft.write(beginning('command = ["./my-agent"]'))}>
          Begin with my own program
        </Button>
      </div>
    </section>
  )
}

function beginning(agent: string): string {
  return `# What Pulseward runs in this folder. It counts only once you have approved it; an edit asks again.\n\n[agent]\n${agent}\n`
}
