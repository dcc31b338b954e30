// What happens on the chain before other tools read it, and the block that they all read it at.

import { Address, Cell, Dictionary } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { internal, SendMode, TonClient, WalletContractV4 } from '@ton/ton'
import { rpc, v2 } from './service.mjs'

const ELECTOR = `-1:${'3'.repeat(64)}`
const CONFIG = `-1:${'5'.repeat(64)}`
const RECEIVER = `0:${'7'.repeat(64)}`
const MASTER_RECEIVER = `-1:${'7'.repeat(64)}`
const NOBODY = `0:${'1'.repeat(64)}`
export const WHOLE = '-9223372036854775808'

/** Asks until there is an answer, for at most 30 seconds. */
const until = async (question) => {
  for (let i = 0; i < 120; i += 1) {
    const answer = await question()
    if (answer) return answer
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('the chain did not get there')
}

/** A wallet's transfer: a comment, a payment to the masterchain, and one that bounces, since nobody is there. */
const transfer = async (url, funded) => {
  const { publicKey, secretKey } = await mnemonicToPrivateKey(funded.mnemonic)
  const wallet = new TonClient({ endpoint: `${url}/api/v2/jsonRPC` }).open(WalletContractV4.create({ workchain: 0, publicKey }))
  await wallet.sendTransfer({
    seqno: await wallet.getSeqno(),
    secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [
      internal({ to: RECEIVER, value: '1.5', bounce: false, body: 'hello' }),
      internal({ to: MASTER_RECEIVER, value: '2', bounce: false }),
      internal({ to: NOBODY, value: '0.25', bounce: true }),
    ],
  })
}

/**
 * Makes transactions of every common kind, and names what is to be read: accounts, get-methods, and the masterchain block in which a payment arrives.
 * What comes after that block changes the accounts again, so an answer of the head is not an answer of that block.
 */
export const setScene = async (url) => {
  const [funded, second] = (await rpc(url, 'local.wallets', {})).wallets
  // Blocks are looked up by their second. In that of the genesis there is block 0 as well, which no tool can read.
  await rpc(url, 'local.increaseTime', { seconds: 10 })
  const jetton = (await rpc(url, 'local.deployJetton', { name: 'Peer', symbol: 'PEER', decimals: 9, admin: funded.address })).address
  const minted = await rpc(url, 'local.mintJetton', { jetton, owner: funded.address, amount: '1000' })
  await transfer(url, funded)
  const arrived = await until(async () => (await v2(url, 'getTransactions', { address: MASTER_RECEIVER, limit: 1 }))[0])
  const sent = (await v2(url, 'getTransactions', { address: funded.address, limit: 10 })).find(({ out_msgs: out }) => out.length === 3)
  const lookup = (workchain, by) => v2(url, 'lookupBlock', { workchain, shard: WHOLE, ...by })
  const master = await lookup(-1, { lt: arrived.transaction_id.lt })
  const [shard] = (await v2(url, 'shards', { seqno: master.seqno })).shards
  const payer = await lookup(0, { lt: sent.transaction_id.lt })
  const { gen_utime: time } = await v2(url, 'getBlockHeader', { workchain: -1, shard: WHOLE, seqno: master.seqno })
  for (const address of [funded.address, RECEIVER, second.address, jetton]) await rpc(url, 'local.fund', { address, amount: '5' })
  const { config } = await v2(url, 'getConfigAll', { seqno: master.seqno })
  const params = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), Cell.fromBase64(config.bytes))
  const accounts = {
    ...{ wallet: funded.address, second: second.address, receiver: RECEIVER, nobody: NOBODY, elector: ELECTOR, config: CONFIG },
    ...{ jetton, jettonWallet: minted.address },
  }
  return {
    seqno: master.seqno,
    blocks: { master, shard, payer },
    lt: arrived.transaction_id.lt,
    time,
    // Friendly, since not every tool reads raw ones.
    accounts: Object.fromEntries(Object.entries(accounts).map(([name, address]) => [name, Address.parse(address).toString()])),
    config: params.keys(),
    runs: [
      ['wallet', 'seqno'],
      ['wallet', 'get_public_key'],
      ['wallet', 'nope'],
      ['jetton', 'get_jetton_data'],
      ['jettonWallet', 'get_wallet_data'],
      ['elector', 'active_election_id'],
      ['elector', 'participant_list'],
      ['config', 'seqno'],
    ],
  }
}
