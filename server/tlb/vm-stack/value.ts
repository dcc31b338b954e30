import type { Cell } from '../../cell/cell.ts'

/*
 * vm_stk_null#00 = VmStackValue;                     vm_stk_tinyint#01 value:int64 = VmStackValue;
 * vm_stk_int#0201_ value:int257 = VmStackValue;      vm_stk_nan#02ff = VmStackValue;
 * vm_stk_cell#03 cell:^Cell = VmStackValue;
 * _ cell:^Cell st_bits:(## 10) end_bits:(## 10) { st_bits <= end_bits }
 *   st_ref:(#<= 4) end_ref:(#<= 4) { st_ref <= end_ref } = VmCellSlice;
 * vm_stk_slice#04 _:VmCellSlice = VmStackValue;      vm_stk_builder#05 cell:^Cell = VmStackValue;
 * vm_stk_cont#06 cont:VmCont = VmStackValue;
 * vm_tupref_nil$_ = VmTupleRef 0;  vm_tupref_single$_ entry:^VmStackValue = VmTupleRef 1;
 * vm_tupref_any$_ {n:#} ref:^(VmTuple (n + 2)) = VmTupleRef (n + 2);
 * vm_tuple_nil$_ = VmTuple 0;  vm_tuple_tcons$_ {n:#} head:(VmTupleRef n) tail:^VmStackValue = VmTuple (n + 1);
 * vm_stk_tuple#07 len:(## 16) data:(VmTuple len) = VmStackValue;
 * vm_stack#_ depth:(## 24) stack:(VmStackList depth) = VmStack;
 * vm_stk_cons#_ {n:#} rest:^(VmStackList n) tos:VmStackValue = VmStackList (n + 1);  vm_stk_nil#_ = VmStackList 0;
 * vmc_std$00  vmc_envelope$01  vmc_quit$1000  vmc_quit_exc$1001  vmc_repeat$10100  vmc_until$110000  vmc_again$110001
 * vmc_while_cond$110010  vmc_while_body$110011  vmc_pushint$1111 = VmCont;
 */

export type VmContKind = 'std' | 'envelope' | 'quit' | 'quit-exc' | 'repeat' | 'until' | 'again' | 'while-cond' | 'while-body' | 'pushint'

export type VmStackValue =
  | { readonly type: 'null' }
  /** 257 bits, signed. `wide` is true if the value was read as vm_stk_int although it fits tinyint. Then it is also written as vm_stk_int. */
  | { readonly type: 'int'; readonly value: bigint; readonly wide?: boolean | undefined }
  | { readonly type: 'nan' }
  | { readonly type: 'cell'; readonly cell: Cell }
  /** `cell` has exactly the bits and references of the slice. If the slice was part of a larger cell, `window` is its position there. */
  | { readonly type: 'slice'; readonly cell: Cell; readonly window?: VmCellSlice | undefined }
  | { readonly type: 'builder'; readonly cell: Cell }
  /** `cell` is the VmCont exactly as it was read. */
  | { readonly type: 'cont'; readonly kind: VmContKind; readonly cell: Cell }
  | { readonly type: 'tuple'; readonly items: readonly VmStackValue[] }

export interface VmCellSlice {
  readonly cell: Cell
  readonly stBits: number
  readonly endBits: number
  readonly stRef: number
  readonly endRef: number
}

/** Limits of a stack. TON itself reads no deeper stacks (Stack::deserialize) and no longer tuples (the VM's limit). */
export const MAX_STACK_DEPTH = 1024
export const MAX_TUPLE = 255
/** Maximum number of values in a stack, including values in tuples. Without this limit a few shared cells could form 2^n values. */
export const MAX_VALUES = 100_000
