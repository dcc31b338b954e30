import * as z from 'zod'
import { jsonBool } from '../fields/bool.ts'
import { bytes } from '../fields/bytes.ts'
import { unconvertible } from '../fields/v3/convert.ts'
import { neededAddress, neededBytes, neededMethod, v3Stack } from '../fields/v3/legacy.ts'
import { v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { sentMessage, v3AddressInformation, v3EstimatedFee, v3RunResult, v3WalletInformation } from '../models/v3/legacy.ts'

const legacy = { api: 'v3', needs: 'index', weight: 1 } as const

const account = z.object({ address: neededAddress('address of account is required'), use_v2: v3Bool().default(false) })

/** What v2 answers, without its envelope (v3.md 2.9). */
export const legacyGroup = {
  'v3.addressInformation': method({
    ...legacy,
    effect: 'read',
    rest: 'GET',
    cache: 'head',
    aliases: ['v3.account'],
    summary: "State of an account; `use_v2` tells it in v2's words.",
    params: account,
    result: v3AddressInformation,
  }),
  'v3.walletInformation': method({
    ...legacy,
    effect: 'read',
    rest: 'GET',
    cache: 'head',
    aliases: ['v3.wallet'],
    summary: 'Kind, seqno and id of a wallet.',
    params: account,
    result: v3WalletInformation,
    errors: ['MISSING_INPUT', 'NOT_A_WALLET'],
  }),
  'v3.message': method({
    ...legacy,
    effect: 'write',
    rest: 'POST',
    cache: 'never',
    summary: 'Sends an external message and tells its hashes.',
    params: z.object({ boc: neededBytes('boc is required') }),
    result: sentMessage,
    errors: ['MISSING_INPUT'],
  }),
  'v3.estimateFee': method({
    ...legacy,
    effect: 'read',
    rest: 'POST',
    cache: 'never',
    summary: 'What an external message would cost its destination account.',
    params: z.object({
      address: neededAddress('address is required'),
      body: neededBytes('body is required'),
      init_code: bytes().optional(),
      init_data: bytes().optional(),
      ignore_chksig: jsonBool(unconvertible).default(true),
    }),
    result: v3EstimatedFee,
    errors: ['MISSING_INPUT'],
  }),
  'v3.runGetMethod': method({
    ...legacy,
    effect: 'read',
    rest: 'POST',
    cache: 'head',
    summary: 'Runs a get-method; arguments and results as {type, value}.',
    params: z.object({
      address: neededAddress('address is required'),
      method: neededMethod('method is required'),
      stack: v3Stack().default([]),
    }),
    result: v3RunResult,
    errors: ['MISSING_INPUT', 'STACK_TOO_DEEP'],
  }),
}
