import { redo, redoDepth, undo, undoDepth } from '@codemirror/commands'
import { EditorSelection, type EditorState, Transaction, type TransactionSpec } from '@codemirror/state'
import { EditorView, type ViewUpdate } from '@codemirror/view'
import type { ApiClient } from '../../../../../api/client.ts'
import type { EditResult } from '../../../../../core/contract/edit.ts'
import type { Diagnostic, SourcePosition } from '../../../../../core/contract/types.ts'
import type { ContractDocument } from '../../../../../core/read-model/contract-document.ts'
import { toProblem } from '../../../api-client/problem.ts'
import { coalesced } from '../../../store/coalesced.ts'
import { adoptingDocument } from '../editor/adopting-document.ts'
import { probeReader } from '../editor/completion.ts'
import { createEditorState, setReadOnly } from '../editor/create-editor.ts'
import { applyFix } from '../editor/diagnostics.ts'
import { currentParse, documentPosition, parsedOf, setHintWorld } from '../editor/parsed-contract.ts'
import type { QuickFix } from '../problems/quick-fixes.ts'
import { changeTo, sourceOf } from '../text/line-endings.ts'
import { mergeTexts } from '../text/three-way.ts'
import { type Draft, draftKey, parseDraft, storeDraft } from './draft-store.ts'
import { probesOf } from './probes-of.ts'
import { type ConflictChoice, type FileVersion, reconcile, type SessionState } from './session-state.ts'

/** A draft is stored when typing pauses for this long, and whenever the page is left. */
const DRAFT_PAUSE_MS = 250

/**
 * A workspace's contract while it is being edited. It lives as long as the page, so that leaving the tab loses neither the text
 * nor the undo history.
 *
 * 1. `base` is the file version that the text is based on. Saving sends its hash, so the host refuses to overwrite any other
 *    version.
 * 2. A new version of the file replaces the text only while the text is still identical to `base`. Otherwise it is a conflict,
 *    and the text stays as it is until the user has chosen.
 * 3. Every change to the text, whatever its cause, is an editor transaction, so all changes can be undone.
 */
export class ContractSession {
  readonly #api: ApiClient
  readonly #workspaceId: string
  readonly #storage: Storage
  readonly #listeners = new Set<() => void>()
  #base: FileVersion
  #state: SessionState
  #editor: EditorState
  #view: EditorView | null = null
  #draftTimer: ReturnType<typeof setTimeout> | null = null
  /** The last draft shared with other windows of this workspace. */
  #shared: string | null = null
  /** Serializes reads and writes of the file: a late answer must not be mistaken for a newer version. */
  #requests: Promise<unknown> = Promise.resolve()

  constructor(api: ApiClient, workspaceId: string, storage: Storage, file: ContractDocument) {
    this.#api = api
    this.#workspaceId = workspaceId
    this.#storage = storage
    this.#base = { text: file.text, hash: file.hash }
    const world = { probes: file.probes, approvedCommands: file.approvedCommands, exitCodes: file.exitCodes }
    const draft = parseDraft(storage.getItem(draftKey(workspaceId)))
    const start = draft === null || file.lossy ? this.#base : draft.base
    this.#base = start
    this.#editor = createEditorState({
      source: start.text,
      world,
      isReadOnly: file.lossy,
      onParsed: () => this.#update({}),
      extensions: [
        EditorView.updateListener.of((update) => this.#onUpdate(update)),
        probeReader.of(probesOf(api, workspaceId)),
      ],
    })
    this.#state = {
      source: start.text,
      contract: parsedOf(this.#editor).contract,
      world,
      currentTask: null,
      isDirty: false,
      canUndo: false,
      canRedo: false,
      conflict: null,
      saving: false,
      problem: null,
      isReadOnly: file.lossy,
      restoredAtMs: null,
      isDraftUnkept: false,
    }
    if (draft !== null && !file.lossy) this.#restore(draft)
    this.#takeFile(file)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): SessionState => this.#state

  /** Shows the editor in `parent` until the returned function is called. */
  attach(parent: HTMLElement): () => void {
    const view = new EditorView({ state: this.#editor, parent, root: adoptingDocument() })
    this.#view = view
    const flush = () => this.#storeDraft()
    const onStorage = (event: StorageEvent) => {
      if (event.storageArea === this.#storage && event.key === draftKey(this.#workspaceId))
        void this.#takeShared(parseDraft(event.newValue))
    }
    window.addEventListener('pagehide', flush)
    window.addEventListener('storage', onStorage)
    return () => {
      flush()
      window.removeEventListener('pagehide', flush)
      window.removeEventListener('storage', onStorage)
      this.#editor = view.state
      this.#view = null
      view.destroy()
    }
  }

  /** Reads the file again and merges its changes; if it cannot be read, reports that and keeps the text. Never rejects. */
  readonly refresh = coalesced(() => this.#inTurn(() => this.#read()))

  async #read(): Promise<void> {
    try {
      this.#takeFile(await this.#api.contract.get({ workspace: this.#workspaceId }))
    } catch (error) {
      this.#update({ problem: toProblem(error).message })
    }
  }

  #inTurn(request: () => Promise<void>): Promise<void> {
    const result = this.#requests.then(request)
    this.#requests = result
    return result
  }

  /** Writes the text to the file. If the file has changed since it was read, reports a conflict instead. Never rejects. */
  async save(): Promise<void> {
    const { saving, conflict, isReadOnly } = this.#state
    if (saving || conflict !== null || isReadOnly) return
    this.#update({ saving: true })
    await this.#inTurn(() => this.#write())
    this.#storeDraft()
  }

  async #write(): Promise<void> {
    const text = sourceOf(this.#current)
    const { hash } = this.#base
    try {
      const file = await this.#api.contract.put({ workspace: this.#workspaceId, text, hash })
      this.#base = { text, hash: file.hash }
      this.#update({ saving: false, problem: null, restoredAtMs: null })
      this.#takeFile(file)
    } catch (error) {
      const problem = toProblem(error)
      this.#update({ saving: false, problem: problem.code === 'CONFLICT' ? null : problem.message })
      if (problem.code === 'CONFLICT') await this.#read()
    }
  }

  /** Writes the text as a new file if the old one is gone. */
  async saveAgain(): Promise<void> {
    this.#base = { text: this.#base.text, hash: '' }
    await this.save()
  }

  /** Reverts to the file as last read; can be undone. */
  discard(): void {
    this.#change(this.#base.text, 'revert')
    this.#update({ restoredAtMs: null })
    this.#storeDraft()
  }

  /** The result of merging both sides of the conflict; `null` if the changes overlap, or there is no conflict. */
  get merged(): string | null {
    const { conflict } = this.#state
    if (conflict === null) return null
    const merge = mergeTexts(conflict.base.text, sourceOf(this.#current), conflict.theirs.text)
    return merge.clean ? merge.text : null
  }

  resolve(choice: ConflictChoice): void {
    const { conflict } = this.#state
    const text = choice === 'merged' ? this.merged : (conflict?.theirs.text ?? null)
    if (conflict === null || text === null) return
    this.#base = conflict.theirs
    this.#update({ conflict: null, restoredAtMs: null })
    if (choice !== 'mine') this.#change(text, 'merge')
    this.#storeDraft()
  }

  /**
   * Applies one of core's edits to the current text; returns the reason if it is refused. `typing`: continuous typing in a form field is
   * one undo step, as it is in the text.
   */
  edit(change: (source: string) => EditResult, how: 'step' | 'typing' = 'step'): string | null {
    if (this.#state.isReadOnly) return 'The file is not UTF-8 and cannot be edited here.'
    const result = change(sourceOf(this.#current))
    if (!result.ok) return result.reason
    // Changes without a user event are merged with the previous one if they follow it closely.
    this.#change(result.text, how === 'typing' ? undefined : 'input.form')
    return null
  }

  fix(fix: QuickFix): void {
    if (this.#view === null || this.#state.isReadOnly) return
    applyFix(this.#view, fix)
    this.#view.focus()
  }

  undo(): void {
    if (this.#view !== null) undo(this.#view)
  }

  redo(): void {
    if (this.#view !== null) redo(this.#view)
  }

  /** Moves the cursor and the focus to a problem in the text. */
  show({ range }: Diagnostic): void {
    this.#select(range.start, true)
  }

  /** Moves the cursor and the focus to a line, from 1, in the text; to the end if there are fewer lines. */
  showLine(line: number): void {
    this.#select({ line, column: 1 }, true)
  }

  /** Moves the cursor to a task's line, which opens it in the form. */
  showTask(index: number, focus = false): void {
    const task = currentParse(this.#current).contract.tasks[index]
    if (task !== undefined) this.#select(task.range.start, focus)
  }

  /** Returns the index of the task with this id; `null` if no runnable task has it. */
  findTask(id: string): number | null {
    const index = currentParse(this.#current).contract.tasks.findIndex((task) => task.id === id)
    return index < 0 ? null : index
  }

  get #current(): EditorState {
    return this.#view?.state ?? this.#editor
  }

  #select(place: Pick<SourcePosition, 'line' | 'column'>, focus: boolean): void {
    const view = this.#view
    if (view === null) return
    const anchor = documentPosition(view.state.doc, place)
    view.dispatch({
      selection: EditorSelection.cursor(anchor),
      effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
    })
    if (focus) view.focus()
  }

  #change(source: string, userEvent: string | undefined): void {
    this.#dispatch({ ...changeTo(this.#current, source), userEvent })
    this.#update({})
  }

  #restore(draft: Draft): void {
    this.#shared = draft.text
    this.#change(draft.text, 'restore')
    this.#update({ restoredAtMs: draft.atMs })
  }

  #takeFile(file: ContractDocument): void {
    const version: FileVersion = { text: file.text, hash: file.hash }
    const mine = sourceOf(this.#current)
    if (file.lossy && mine !== this.#base.text) {
      this.#update({ problem: `${file.path} is no longer UTF-8. Convert it, then this text can be saved.` })
      return
    }
    this.#takeWorld(file)
    switch (reconcile(this.#base, mine, version)) {
      case 'agrees':
        this.#base = version
        this.#update({ conflict: null, problem: null, restoredAtMs: null })
        break
      case 'unchanged':
        this.#update({ conflict: null, problem: null })
        break
      case 'take':
        this.#base = version
        this.#change(version.text, 'take')
        this.#update({ conflict: null, problem: null })
        break
      case 'conflict':
        this.#update({ conflict: { base: this.#base, theirs: version }, problem: null })
    }
    this.#storeDraft()
  }

  /** Updates what checks may refer to, and whether the file can be edited at all. */
  #takeWorld({ probes, approvedCommands, exitCodes, lossy }: ContractDocument): void {
    const world = { probes, approvedCommands, exitCodes }
    const isSame = JSON.stringify(world) === JSON.stringify(this.#state.world)
    if (isSame && lossy === this.#state.isReadOnly) return
    this.#dispatch({ effects: [setHintWorld.of(world), setReadOnly(lossy)] })
    this.#update({ world, isReadOnly: lossy })
  }

  #dispatch(spec: TransactionSpec): void {
    if (this.#view !== null) this.#view.dispatch(spec)
    else this.#editor = this.#editor.update(spec).state
  }

  /** Another window of this workspace has changed or deleted its draft. */
  async #takeShared(draft: Draft | null): Promise<void> {
    if (this.#state.isReadOnly) return
    const seen = this.#shared ?? this.#base.text
    if (draft?.base.hash !== this.#base.hash) await this.refresh()
    const mine = sourceOf(this.#current)
    if (draft === null) {
      this.#shared = null
      if (mine === seen && mine !== this.#base.text) this.#change(this.#base.text, 'revert')
      return
    }
    if (draft.base.hash !== this.#base.hash || draft.text === mine) return
    const merge = mergeTexts(seen, mine, draft.text)
    if (!merge.clean) return
    this.#shared = draft.text
    this.#change(merge.text, 'take')
  }

  #onUpdate(update: ViewUpdate): void {
    if (update.docChanged) {
      if (this.#draftTimer !== null) clearTimeout(this.#draftTimer)
      this.#draftTimer = setTimeout(() => this.#storeDraft(), DRAFT_PAUSE_MS)
    } else if (update.selectionSet) this.#update({})
    if (update.transactions.some((each) => each.annotation(Transaction.userEvent) === 'input.fix'))
      this.#update({ restoredAtMs: null })
  }

  #storeDraft(): void {
    if (this.#draftTimer !== null) clearTimeout(this.#draftTimer)
    this.#draftTimer = null
    const text = sourceOf(this.#current)
    const base = this.#base
    const isDirty = text !== base.text
    if (!isDirty && this.#shared === null) return
    const isKept = storeDraft(
      this.#storage,
      this.#workspaceId,
      isDirty ? { text, base, atMs: Date.now() } : null,
    )
    this.#shared = isDirty ? text : null
    if (this.#state.isDraftUnkept === isKept) this.#update({ isDraftUnkept: !isKept })
  }

  /** Rebuilds the state from the editor and the given values. */
  #update(given: Partial<SessionState>): void {
    const editor = this.#current
    const { source, contract } = parsedOf(editor).doc === editor.doc ? parsedOf(editor) : currentParse(editor)
    const { number: line } = editor.doc.lineAt(editor.selection.main.head)
    const index = contract.tasks.findIndex(
      ({ range, itemRange }) => range.start.line <= line && line <= itemRange.end.line,
    )
    this.#state = {
      ...this.#state,
      source,
      contract,
      currentTask: index < 0 ? null : index,
      isDirty: source !== this.#base.text,
      canUndo: undoDepth(editor) > 0,
      canRedo: redoDepth(editor) > 0,
      ...given,
    }
    for (const listener of this.#listeners) listener()
  }
}
