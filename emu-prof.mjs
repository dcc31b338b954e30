import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request, Agent } from 'node:http'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4, internal, external, beginCell, storeMessage } from '@ton/ton'
const port = 20000 + Math.floor(Math.random()*20000)
const url = `http://127.0.0.1:${port}`
const child = spawn(process.execPath, ['dist/server/main.js'], { env: { ...process.env, TONWAY_PORT: String(port), TONWAY_LOG: 'warn', TONWAY_BLOCK_TIME: '0', TONWAY_ANONYMOUS_RPS: 'unlimited', ...(process.env.PROF_DIR && {NODE_OPTIONS: '--require /work/scratch/e20/prof.cjs'}), TONWAY_DATA_DIR: `/tmp/e20-data-${port}` }, stdio: ['ignore', 'ignore', 'inherit'] })
const agent = new Agent({ keepAlive: true })
const post = (path, body) => new Promise((res, rej) => { const r = request(url + path, { agent, method: 'POST', headers: { 'Content-Type': 'application/json' } }, async (a) => { let t = ''; for await (const c of a) t += c; res(JSON.parse(t)) }); r.on('error', rej); r.end(JSON.stringify(body)) })
const rpc = async (method, params = {}) => { const a = await post('/jsonRPC', { jsonrpc: '2.0', id: 1, method, params }); if (a.error) throw new Error(method + a.error.message); return a.result }
for (;;) { try { await rpc('getMasterchainInfo'); break } catch { await new Promise(r => setTimeout(r, 100)) } }
await rpc('local.mine', { count: 2 })
for (;;) { try { await rpc('v3.masterchainInfo'); break } catch { await new Promise(r => setTimeout(r, 100)) } }
const { wallets } = await rpc('local.wallets')
const keys = await mnemonicToPrivateKey(wallets.find(w => w.version === 'v4R2').mnemonic)
const w = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
const to = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32, 7) }).address
const transfer = (seqno) => { const body = w.createTransfer({ seqno, secretKey: keys.secretKey, timeout: 0xffffffff, messages: [internal({ to, value: 1000000n, bounce: false })] }); return beginCell().store(storeMessage(external({ to: w.address, body }))).endCell().toBoc().toString('base64') }
const cpu = () => { const s = readFileSync(`/proc/${child.pid}/task/${child.pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' '); return (Number(s[11]) + Number(s[12])) * 10 }
const p50 = (a) => a.sort((x, y) => x - y)[a.length >> 1]
const N = +process.env.N || 3000, STEP = +process.env.STEP || 300
if (process.argv[2] === 'emu') {
  const boc = transfer(0); const now = Math.floor(Date.now() / 1000) + 1000
  const extra = process.env.FULL ? { with_actions: true, include_address_book: true, include_metadata: true } : {}
  for (let b = 0; b < N; b += STEP) { const c = cpu(), t = []; let len; for (let i = 0; i < STEP; i++) { const a = performance.now(); const r = await post('/api/emulate/v1/emulateTrace', { boc, now: now + b + i, ...extra }); if (!r.transactions || Object.keys(r.transactions).length !== 2) throw new Error(JSON.stringify(r).slice(0, 300)); len = JSON.stringify(r).length; t.push(performance.now() - a) } console.log('emu', b, 'p50', p50(t).toFixed(2), 'cpu/call', ((cpu() - c) / STEP).toFixed(2), 'bytes', len) }
  for (let b = 0; b < 2; b++) { const c = cpu(), t = []; for (let i = 0; i < STEP * 3; i++) { const a = performance.now(); await post('/api/v2/detectHash', { hash: 'a'.repeat(64) }); t.push(performance.now() - a) } console.log('bare', 'p50', p50(t).toFixed(2), 'cpu/call', ((cpu() - c) / STEP / 3).toFixed(2)) }
}
child.kill('SIGTERM'); await new Promise(r => child.once('exit', r)); process.exit()
