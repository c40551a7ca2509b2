/*
 * To be imported by a host that answers through a port. The API's library asks of each message whether it is a form, and to be asked
 * that is enough for Node.js to load all that belongs to `fetch`: a start waits for it, and none of its messages is a form.
 */
class NoFormData {
  constructor() {
    throw new TypeError('No forms are made in this process: src/main/no-forms.ts says why.')
  }

  /** Without the class: a form that an answer to `fetch` brought says itself what it is. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return Object.prototype.toString.call(value) === '[object FormData]'
  }
}

// Assigned: to define it would load what it stands for.
globalThis.FormData = NoFormData as unknown as typeof FormData
