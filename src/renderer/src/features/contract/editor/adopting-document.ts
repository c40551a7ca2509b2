let adopting: Document | null = null

/**
 * The page's document, as CodeMirror has to see it under the page's Content-Security-Policy. `style-src 'self'` forbids the `<style>`
 * element that CodeMirror would put into the head. In a root without a head, such as a shadow root, it uses an adopted style sheet, which
 * the policy allows. So this is the document without its head.
 */
export function adoptingDocument(): Document {
  adopting ??= new Proxy(document, {
    get: (target, key) => {
      if (key === 'head') return null
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  })
  return adopting
}
