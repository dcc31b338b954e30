import { withoutSecrets } from './secrets.ts'

/** An error that a user can correct: its message is for people, without a stack. It ends a command with `exitCode`. */
export class UserError extends Error {
  override readonly name: string = 'UserError'
  readonly problems: readonly string[]
  readonly exitCode: number
  constructor(problems: string | readonly string[], exitCode = 2) {
    // A problem contains the given value, which may be a URL with a password, so secrets are hidden.
    const shown = [problems].flat().map(withoutSecrets)
    super(shown.join('\n'))
    this.problems = shown
    this.exitCode = exitCode
  }
}
