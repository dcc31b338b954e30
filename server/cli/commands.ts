import { KEYS_COMMAND, PLANS_COMMAND } from '../access/flags.ts'

/** A flag of a command, beside the settings. */
export interface FlagDef {
  /** Name of its value in --help; undefined: a switch. */
  readonly value?: string
  readonly what: string
}

/** What a command takes. */
export interface CommandDef {
  readonly what: string
  /** Further lines of its --help. */
  readonly more?: readonly string[]
  readonly flags?: Readonly<Record<string, FlagDef>>
  /** Names of its positional arguments, all of which must be given. */
  readonly positionals?: readonly string[]
  /** Its actions, one of which must be named. A command with actions has no flags or positionals of its own. */
  readonly actions?: Readonly<Record<string, CommandDef>>
  /** The action that is run if none is named; undefined: one must be named. */
  readonly usual?: string
}

/** The commands of the program. The default is `serve`. */
export const COMMANDS = {
  serve: {
    what: 'serves HTTP, WebSocket and the lite-server protocol (what happens without a command)',
  },
  index: {
    what: 'follows the networks and keeps their index, without HTTP',
    more: [
      'Any number of `tonway serve` on the same DATABASE_URL answer from it; of all processes on a database one indexes.',
      'With --to it ends. Exit code 0: the block is indexed; 1: it cannot be, or was not yet when it was stopped; 2: there is nothing to index.',
    ],
    flags: {
      from: { value: 'seqno', what: 'first masterchain block of a new index; what --index-from says unless given' },
      to: { value: 'seqno', what: 'last masterchain block, with which it ends; it goes on from where the index is' },
    },
  },
  verify: {
    what: 'derives every row of a kept index from the blocks again and reports differences',
    more: [
      'A service that keeps its chain or database in --data-dir must be stopped, or it is refused at once. Nothing of the index is made or changed.',
      'Exit code 0: no differences; 1: differences, a line each; 2: nothing to verify.',
    ],
    flags: { only: { value: 'network', what: 'which of several networks; the first unless given' } },
  },
  repair: {
    what: 'checks the log of a kept embedded chain to its end; puts what follows damage aside, so that the blocks before it can be served',
    more: [
      'The service must be stopped. The rest goes into a file beside chain.log, and nothing is deleted.',
      'Exit code 0: the log is whole; 1: it is damaged; 2: there is no chain to check.',
    ],
    flags: {
      check: { what: 'says what is damaged, and changes nothing' },
      only: { value: 'network', what: 'which of several networks; the first unless given' },
    },
  },
  keys: KEYS_COMMAND,
  plans: { ...PLANS_COMMAND, usual: 'list' },
  status: {
    what: 'asks a running server for its heads, the lag of its index and its lite-servers',
    more: ['Exit code 0: every network is ready; 1: one is not; 2: nobody answers.'],
    flags: {
      url: { value: 'url', what: 'of the server; the address and port of the settings unless given' },
      json: { what: 'one JSON object: what /status says of each network, by name' },
    },
  },
  config: {
    what: 'shows every setting and where its value comes from; checks them (also --print-config with any command)',
  },
} as const satisfies Readonly<Record<string, CommandDef>>

export type CommandName = keyof typeof COMMANDS
export const commandNames = Object.keys(COMMANDS) as readonly CommandName[]
