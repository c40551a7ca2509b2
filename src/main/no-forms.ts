/*
 * Must be imported by a host that serves a port. The API's library checks for each message whether it is a form, and that check makes
 * Node.js load everything that belongs to `fetch`. A start would wait for it, although none of its messages is a form.
 */
class NoFormData {
  constructor() {
    throw new TypeError('No forms are made in this process: src/main/no-forms.ts says why.')
  }

  /** Works without the class: a form from an answer to `fetch` identifies itself by its tag. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return Object.prototype.toString.call(value) === '[object FormData]'
  }
}

// Assigned rather than defined, because defining it would load the real class.
globalThis.FormData = NoFormData as unknown as typeof FormData
