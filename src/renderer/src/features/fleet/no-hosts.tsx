import { CopyButton } from '../../ui/copy-button.tsx'
import styles from './fleet.module.css'

const STEPS = [
  {
    where: "On the hub's machine, let a host in; it prints a token:",
    command: 'pulseward fleet hub add build-1',
  },
  {
    where: 'On the host, join with what was printed:',
    command: 'pulseward fleet join tls://HUB:4222 --token …',
  },
]

/** For a center that no host has joined: what to do next. */
export function NoHosts() {
  return (
    <section className={styles.empty} aria-label="No host yet">
      <p>No host has joined yet. Two commands add one:</p>
      <ol>
        {STEPS.map(({ where, command }) => (
          <li key={command}>
            <p>{where}</p>
            <p className={styles.command}>
              <code>{command}</code>
              <CopyButton text={command} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
