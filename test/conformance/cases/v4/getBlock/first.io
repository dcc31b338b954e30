// The first masterchain block and its shard block.
>> {"jsonrpc":"2.0","id":1,"method":"v4.getBlock","params":{"seqno":1}}
<< {"jsonrpc":"2.0","id":1,"result":{"exist":true,"block":{"shards":[{"workchain":-1,"seqno":1,"shard":"-9223372036854775808","rootHash":"TRkWgdCO0RULOeL9d+y4gp4BVHwxUZlqML1lINyvQV8=","fileHash":"hAASLR74YmXFHgggnrmsnxUgrvh6wxMC2f9XOs2grxk=","transactions":[]},{"workchain":0,"seqno":1,"shard":"-9223372036854775808","rootHash":"HYKBQhUBn5eHBL2KkJhh6K0Zf228D/Wv8FE/WF/9XRk=","fileHash":"e3i8Cvdfly0IgceshWLjEt3/PlpDQBYarMis3N4kjkc=","transactions":[]}]}}}
