/** What stands in the way of a request; the API turns `kind` into its error code. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem'
  readonly kind: 'not-found' | 'bad-request' | 'conflict' | 'unprocessable'
  constructor(kind: RequestProblem['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
