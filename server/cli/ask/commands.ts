import type { CommandDef } from '../commands.ts'

const url = {
  value: 'url',
  what: 'URL of the server, with the prefix of a network if it has several, and with ?api_key=<key> if calls need one; by default the address and port of the settings',
}
const json = { what: 'prints the answer as JSON' }

export const ASK_COMMANDS = {
  wallet: {
    what: 'shows the funded wallets of the embedded chain, with their balances; with --mnemonics also their words',
    flags: { url, json, mnemonics: { what: 'shows the words too; they are public for the first two wallets' } },
    examples: ['tonway wallet', 'tonway wallet --mnemonics'],
  },
  fund: {
    what: 'gives coins to an account of the embedded chain',
    flags: { url, json },
    positionals: ['address', 'amount'],
    more: ['The amount is in GRAM, with at most nine digits after the point.'],
    examples: ['tonway fund UQB3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d0x0 1.5'],
  },
  call: {
    what: 'calls a method and prints its result as JSON',
    flags: { url },
    positionals: ['method'],
    rest: 'params',
    more: [
      'Params are one JSON object, or words such as limit=2; a value that is JSON is taken as JSON, any other as text.',
      'Exit code 0: there is a result; 1: the method was refused; 2: no server answers.',
    ],
    examples: [
      'tonway call getMasterchainInfo',
      'tonway call getTransactions address=UQB3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d0x0 limit=2',
      `tonway call runGetMethod '{"address":"Ef9VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVbxn","method":"seqno","stack":[]}'`,
    ],
  },
  get: {
    what: 'runs a get-method and shows its results with their types, the gas, and its exit code in words',
    flags: { url, json },
    positionals: ['address', 'method'],
    rest: 'arguments',
    more: [
      'The method is a name or a number. An argument is a whole number (12, -5, 0x1f), an address, or the BoC of a cell in base64. Put `slice:` before a BoC to pass it as a slice.',
      'Exit code 0: the get-method succeeded; 1: it failed, or was refused; 2: no server answers.',
    ],
    examples: [
      'tonway get UQB3NitVceH7lov-9i_hNkYBHZXLTJI9pOOY9h_VGk3E0fND seqno',
      'tonway get Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF compute_returned_stake 0x1f',
    ],
  },
  trace: {
    what: 'shows the trace of a transaction or a message as a tree, with exit codes in words',
    flags: { url, json },
    positionals: ['hash'],
    more: [
      'The hash is of a transaction, a message or a trace, in hex or base64.',
      'Without an index the server looks for it in the newest 1,000 blocks of its embedded chain.',
    ],
    examples: ['tonway trace 6cc9c616d911547c82a73cf3b2b6d00c1670ba05f3f5544c02c795cad1021bad'],
  },
  snapshot: {
    what: 'marks the present of the embedded chain; prints the name to go back to',
    flags: { url, json },
    examples: ['mark=$(tonway snapshot)', 'tonway revert "$mark"'],
  },
  revert: {
    what: 'undoes every block of the embedded chain after a snapshot',
    flags: { url, json },
    positionals: ['snapshot'],
    examples: ['tonway revert snapshot-1'],
  },
} as const satisfies Readonly<Record<string, CommandDef>>

export type AskName = keyof typeof ASK_COMMANDS
