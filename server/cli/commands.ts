import { ASK_COMMANDS } from './ask/commands.ts'
import { KEYS_COMMAND, PLANS_COMMAND } from './keys/definitions.ts'

export interface FlagDef {
  /** Name of the flag's value in --help. undefined: the flag has no value. */
  readonly value?: string
  readonly what: string
}

export interface CommandDef {
  readonly what: string
  readonly more?: readonly string[]
  readonly flags?: Readonly<Record<string, FlagDef>>
  /** All positional arguments are required. */
  readonly positionals?: readonly string[]
  /** Name of the arguments after the positionals, of which there can be any number. */
  readonly rest?: string
  readonly examples?: readonly string[]
  /** Actions, one of which must be named. A command with actions has no flags or positionals of its own. */
  readonly actions?: Readonly<Record<string, CommandDef>>
  /** The default action. undefined: the action is required. */
  readonly usual?: string
}

export const COMMANDS = {
  serve: {
    what: 'serves HTTP, WebSocket and the lite-server protocol (the default command)',
  },
  index: {
    what: 'follows the networks and keeps their index, without HTTP',
    more: [
      'It needs --data-dir or DATABASE_URL, where the index is stored; an embedded chain needs --data-dir.',
      'Any number of `tonway serve` processes with the same DATABASE_URL can answer from it. Of all processes on a database only one indexes.',
      'With --to it ends. Exit code 0: the block is indexed; 1: it cannot be indexed, or the command was stopped before; 2: there is nothing to index.',
    ],
    flags: {
      from: { value: 'seqno', what: 'first masterchain block of a new index; by default the setting --index-from' },
      to: {
        value: 'seqno',
        what: 'last masterchain block: the command ends when it is indexed. An index that exists goes on from its last block',
      },
    },
  },
  backfill: {
    what: 'indexes the history of a network from block 1, together with every other process that runs it on the same database',
    more: [
      'Start it as often as there are cores, on one machine or on several; each process needs a core beside those of PostgreSQL. `tonway serve` waits with its',
      'index meanwhile, answers from what is joined, and goes on when the last process has ended. A process that is killed loses no more than a group of blocks.',
      'Needs DATABASE_URL, all accounts and all of the history, and a server with the states of old blocks.',
      'Exit code 0: the block is indexed; 1: it cannot be indexed, or the command was stopped before; 2: wrong arguments.',
    ],
    flags: {
      to: { value: 'seqno', what: 'last masterchain block: the command ends when it is indexed' },
      blocks: { value: 'number', what: 'masterchain blocks of a range, which one process derives; by default 2000' },
    },
    examples: ['tonway backfill --network mainnet --database-url postgres://tonway:password@db.example/tonway --to 1000000'],
  },
  verify: {
    what: 'derives every row of a stored index from the blocks again and reports differences',
    more: [
      'If the service keeps its chain or database in --data-dir, stop it first; otherwise the command is refused. It changes nothing: a chain whose file has a damaged end is refused, too.',
      'Exit code 0: no differences; 1: differences, one per line; 2: nothing to verify.',
    ],
    flags: { only: { value: 'network', what: 'the network, if the settings have several; by default the first' } },
  },
  repair: {
    what: 'checks chain.log of an embedded chain; moves everything from a damaged place on into another file, so that the blocks before it can be served',
    more: [
      'Stop the service first. The other file is beside chain.log. Nothing is deleted.',
      'Exit code 0: the log is intact; 1: it is damaged; 2: there is no chain to check.',
    ],
    flags: {
      check: { what: 'reports damage and changes nothing' },
      only: { value: 'network', what: 'the network, if the settings have several; by default the first' },
    },
  },
  move: {
    what: 'copies the index, the keys and the plans from the embedded database of --data-dir to the PostgreSQL of --database-url',
    more: [
      'Stop the service first. The database of --database-url must be new. Each network is copied as a whole or not at all; the embedded database keeps everything, in the tables of this release.',
      'Exit code 0: everything was copied; 1: it could not be copied, and the reason; 2: there is nothing to copy.',
    ],
    examples: ['tonway move --data-dir ./data --database-url postgres://tonway:password@db.example/tonway'],
  },
  migrate: {
    what: 'brings the tables of the index and of the keys in the PostgreSQL of --database-url to this release, and ends',
    more: [
      'The service does that at its start, too. Run it before an upgrade of many processes, as a job of its own.',
      'Exit code 0: the tables are of this release; 1: they are not, and the reason; 2: there is no DATABASE_URL.',
    ],
  },
  keys: KEYS_COMMAND,
  plans: { ...PLANS_COMMAND, usual: 'list' },
  tokens: {
    what: 'says which tokens are scam or not safe for work',
    actions: {
      import: {
        what: 'replaces the list of such tokens by that of a file; a running service has it within a second',
        more: [
          'The file is JSON, an array of {"address": "EQ...", "is_scam": true, "is_nsfw": false} or one of these a line, or CSV with the columns address, is_scam, is_nsfw.',
          'A flag that is left out is false. If a line or an entry of an array is wrong, the command names it and changes nothing. An empty list removes all flags.',
          'Exit code 0: the list is replaced; 1: the file is wrong; 2: wrong arguments, or the database cannot be reached.',
        ],
        flags: { only: { value: 'network', what: 'the network, if the settings have several; by default the first' } },
        positionals: ['file'],
        examples: ['tonway tokens import flags.csv --data-dir ./data'],
      },
    },
  },
  status: {
    what: 'shows the heads, the lag of the index and the lite-servers of a running server',
    more: ['Exit code 0: every network is ready; 1: one is not; 2: no server answers.'],
    flags: {
      url: { value: 'url', what: 'URL of the server; by default the address and port of the settings' },
      json: { what: 'prints one JSON object: the answer of /status for each network, by name' },
    },
  },
  ...ASK_COMMANDS,
  config: {
    what: 'checks all settings and shows their values and where they come from (also --print-config with any command)',
  },
} as const satisfies Readonly<Record<string, CommandDef>>

export type CommandName = keyof typeof COMMANDS
export const commandNames = Object.keys(COMMANDS) as readonly CommandName[]
