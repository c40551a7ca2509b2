import type { DiscoveredAgent } from '../../../../core/read-model/agent.ts'
import { counted } from '../../format/counted.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Prose } from '../../ui/prose.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './add-workspace.module.css'
import { type AgentChoice, useSetup } from './add-workspace-state.ts'
import { StepButtons } from './step-buttons.tsx'
import { isAgentName, nameOfProgram } from './use-new-files.ts'

/** The agents on this machine and whether they are logged in, or the operator's own program. */
export function AgentStep() {
  const { value, problem, retry } = useAnswer((api) => api.agents.discover, undefined)
  const chosen = useSetup((state) => state.agent)
  const change = useSetup((state) => state.change)
  const agents = value?.agents ?? []
  const found = agents.filter((agent) => agent.found).toSorted((a, b) => readiness(a) - readiness(b))
  const missing = agents.filter((agent) => !agent.found)
  const agent: AgentChoice = chosen ?? { kind: 'preset', preset: found[0]?.preset ?? 'claude' }
  const choose = (choice: AgentChoice) =>
    change({ agent: choice, configuration: null, report: null, dryRun: null })
  const list = (some: readonly DiscoveredAgent[]) =>
    some.map((each) => (
      <AgentOption
        key={each.preset}
        agent={each}
        checked={agent.kind === 'preset' && agent.preset === each.preset}
        onChoose={() => choose({ kind: 'preset', preset: each.preset })}
      />
    ))
  const isMissingChosen = missing.some(({ preset }) => agent.kind === 'preset' && agent.preset === preset)
  const hasNoCommand = agent.kind === 'command' && agent.line.trim() === ''
  const isNamed = agent.kind === 'command' && agent.name.trim() !== ''
  const nameProblem =
    isNamed && !isAgentName(agent.name.trim()) ? 'Only letters, digits, “.”, “_” and “-”; at most 64.' : null
  return (
    <>
      <p className={styles.lead}>
        {value === null
          ? 'Looking for agents on this machine…'
          : `${found.length === 0 ? 'No known agent was' : `${counted(found.length, 'agent was', 'agents were')}`} found on this machine. Pulseward runs it with your own account and needs no key.`}
      </p>
      <ProblemNote text={problem?.message} />
      {value === null && problem === null ? (
        <Skeleton width="100%" height={140} />
      ) : (
        <fieldset className="stack">
          <legend>
            <VisuallyHidden>Agent</VisuallyHidden>
          </legend>
          {list(found)}
          {missing.length > 0 && (
            <details className={styles.more} open={found.length === 0 || isMissingChosen || undefined}>
              <summary>
                {counted(missing.length, found.length === 0 ? 'agent' : 'more agent')} that could be installed
              </summary>
              <div className="stack">{list(missing)}</div>
            </details>
          )}
          <OwnProgram agent={agent} nameProblem={nameProblem} onChange={choose} />
        </fieldset>
      )}
      {(value !== null || problem !== null) && (
        <div className="row flow">
          <Button onClick={retry}>Check again</Button>
          <span className="tiny quiet regular breaks">after you have installed one or logged in</span>
        </div>
      )}
      <p className="tiny quiet regular breaks">
        If this machine has a sandbox, the agent can write only to this folder and to temporary files. You can
        allow more under Setup, Sandbox.
      </p>
      <StepButtons
        // Before that, the first one found can't be offered, and the list would move the button away under a click.
        busy={chosen === null && value === null && problem === null}
        hindrance={hasNoCommand ? 'Write the command, or choose an agent.' : nameProblem}
        onNext={() => change({ agent, step: 1 })}
      />
    </>
  )
}

type OwnAgent = Extract<AgentChoice, { kind: 'command' }>

/** The operator's own program: its command and its name. */
function OwnProgram({
  agent,
  nameProblem,
  onChange,
}: {
  agent: AgentChoice
  nameProblem: string | null
  onChange: (agent: OwnAgent) => void
}) {
  return (
    <>
      <label className={styles.option}>
        <input
          type="radio"
          name="agent"
          checked={agent.kind === 'command'}
          onChange={() => onChange({ kind: 'command', line: '', name: '' })}
        />
        <span className="medium">My own program</span>
        <span className={styles.optionText}>It gets the prompt on standard input.</span>
      </label>
      {agent.kind === 'command' && (
        <>
          <TextField
            label="Command"
            hint="The program and its arguments, as on a command line. Never passed to a shell."
            value={agent.line}
            spellCheck={false}
            autoComplete="off"
            placeholder="./my-agent --unattended"
            onChange={(event) => onChange({ ...agent, line: event.target.value })}
          />
          <TextField
            label="Name"
            hint="Used on the screens and in the record."
            value={agent.name}
            problem={nameProblem}
            spellCheck={false}
            autoComplete="off"
            placeholder={nameOfProgram(agent.line) ?? 'my-agent'}
            onChange={(event) => onChange({ ...agent, name: event.target.value })}
          />
        </>
      )}
    </>
  )
}

/** Sorts agents by login: logged in first, then unknown, then logged out. */
function readiness({ login }: DiscoveredAgent): number {
  return { 'logged-in': 0, unknown: 1, 'logged-out': 2 }[login]
}

/** Returns the commands in an agent's setup instructions (in backticks), each with a copy button. */
function commandsIn(hint: string | null): readonly string[] {
  return [...(hint ?? '').matchAll(/`([^`]+)`/gu)].flatMap(([, command]) => command ?? [])
}

const LOGIN_WORDS = { 'logged-in': 'logged in', 'logged-out': 'not logged in', unknown: null } as const

function AgentOption({
  agent,
  checked,
  onChoose,
}: {
  agent: DiscoveredAgent
  checked: boolean
  onChoose: () => void
}) {
  const { name, found, path, version, login, hint } = agent
  const commands = commandsIn(hint)
  const facts = found ? [version, LOGIN_WORDS[login]].filter((each) => each !== null) : ['not found here']
  return (
    <div className="stack gap-half">
      <label className={styles.option}>
        <input type="radio" name="agent" checked={checked} onChange={onChoose} />
        <span className="medium">
          {name} <span className="tiny quiet regular breaks">{facts.join(' · ')}</span>
        </span>
        {path !== null && (
          <code className={styles.optionText}>
            <bdi>{path}</bdi>
          </code>
        )}
        {hint !== null && (
          <span className={styles.optionText}>
            <Prose text={hint} />
          </span>
        )}
      </label>
      {checked &&
        commands.map((command) => (
          <div key={command}>
            <CopyButton text={command} className={styles.copy}>
              <span>
                Copy the command
                {commands.length > 1 && (
                  <>
                    {' '}
                    <code>{command}</code>
                  </>
                )}
              </span>
            </CopyButton>
          </div>
        ))}
    </div>
  )
}
