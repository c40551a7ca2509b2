import type {
  ConfigurationEdit,
  ConfigurationReport,
  SettingValue,
} from '../../../../api/schemas/configuration.ts'

/** The pause in typing after which the text is checked. */
const PAUSE_MS = 120

export interface DraftCheckOptions {
  readonly check: (text: string, edits: ConfigurationEdit[]) => Promise<ConfigurationReport>
  readonly onReport: (report: ConfigurationReport) => void
  readonly onProblem: (error: unknown) => void
}

/**
 * Has the host check a draft as it changes, one check at a time:
 * 1. Edits from the form are applied to the newest text, in order; several waiting edits are sent together.
 * 2. If the text has changed since it was sent, the answer is dropped and its edits are applied again.
 */
export class DraftCheck {
  readonly #options: DraftCheckOptions
  #text = ''
  #checkedText: string | null = null
  #edits: ConfigurationEdit[] = []
  #timer: ReturnType<typeof setTimeout> | null = null
  #running = false
  #stopped = false
  #generation = 0

  constructor(options: DraftCheckOptions) {
    this.#options = options
  }

  /** Sets the current text, and the text that the latest report is about. */
  follow(text: string, reported: string): void {
    this.#stopped = false
    this.#text = text
    if (reported === text) this.#checkedText = text
    if (this.#checkedText !== text) this.#schedule(PAUSE_MS)
  }

  edit(path: readonly string[], value: SettingValue | null): void {
    const isSame = (edit: ConfigurationEdit) => edit.path.join('\0') === path.join('\0')
    this.#edits = [...this.#edits.filter((edit) => !isSame(edit)), { path: [...path], value }]
    this.#schedule(0)
  }

  /** Drops the check in progress, because the text was replaced, for example after a discard. */
  forget(): void {
    this.#generation++
    this.#edits = []
  }

  stop(): void {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #schedule(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#run()
    }, ms)
  }

  async #run(): Promise<void> {
    if (this.#running || this.#stopped) return
    this.#running = true
    const text = this.#text
    const edits = this.#edits
    const generation = this.#generation
    this.#edits = []
    try {
      const report = await this.#options.check(text, edits)
      if (this.#text === text && generation === this.#generation && !this.#stopped) {
        this.#text = report.text
        this.#checkedText = report.text
        this.#options.onReport(report)
      } else if (generation === this.#generation) {
        const renewed = this.#edits.map(({ path }) => path.join('\0'))
        this.#edits = [...edits.filter(({ path }) => !renewed.includes(path.join('\0'))), ...this.#edits]
      }
    } catch (error) {
      this.#checkedText = text
      if (!this.#stopped) this.#options.onProblem(error)
    } finally {
      this.#running = false
    }
    if (!this.#stopped && (this.#edits.length > 0 || this.#checkedText !== this.#text)) this.#schedule(0)
  }
}
