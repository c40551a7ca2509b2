import type { AgentProfile } from '../../../../core/read-model/agent.ts'
import { RelativeTime } from '../../ui/time.tsx'
import styles from './agent.module.css'
import { profileFields } from './profile-fields.ts'

/** Everything known about an agent, each figure with a sentence that explains it. */
export function ProfileTable({ profile }: { profile: AgentProfile }) {
  return (
    <section className={styles.panel} aria-label="Profile">
      <h2>Profile</h2>
      <dl className="divided">
        {profileFields(profile).map(({ name, value, sentence }) => (
          <div key={name} className={styles.field}>
            <dt>{name}</dt>
            <dd className="strong">
              {'at' in value ? <RelativeTime at={value.at} /> : <bdi>{value.text}</bdi>}
            </dd>
            <dd className={styles.sentence}>{sentence}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
