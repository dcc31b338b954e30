import { type Address, beginCell, Cell, type Contract, type ContractProvider, contractAddress, type Sender } from '@ton/core'
import { code } from './counter.tolk'

/** The counter of counter.tolk, as its authors would wrap it. */
export class Counter implements Contract {
  readonly address: Address
  readonly init: { readonly code: Cell; readonly data: Cell }
  constructor(owner: Address) {
    this.init = { code: Cell.fromBase64(code), data: beginCell().storeAddress(owner).storeUint(0, 32).endCell() }
    this.address = contractAddress(0, this.init)
  }

  static increase(by: number): Cell {
    return beginCell().storeUint(0x7e8764ef, 32).storeUint(by, 32).endCell()
  }

  static readonly reset: Cell = beginCell().storeUint(0x3a752f06, 32).endCell()

  async sendDeploy(provider: ContractProvider, via: Sender): Promise<void> {
    await provider.internal(via, { value: '0.05' })
  }

  async sendIncrease(provider: ContractProvider, via: Sender, by: number): Promise<void> {
    await provider.internal(via, { value: '0.05', body: Counter.increase(by) })
  }

  async getCounter(provider: ContractProvider): Promise<number> {
    return (await provider.get('counter', [])).stack.readNumber()
  }
}
