// The parameter at an earlier masterchain block.
>> {"jsonrpc":"2.0","id":1,"method":"getConfigParam","params":{"config_id":34,"seqno":5}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"configInfo","config":{"@type":"tvm.cell","bytes":"te6cckEBAgEAaQABKxJlU/EA/////wABAAEQAAAAAAAAAMABAJzQc46BJ4oEwNyzdtOg/m9cD5qRqOlCnbtktcfqfkIik38/ymo2phAAAAAAAAAANPXmPNKFZvcUl8gpl37XuNxco23i0cBEWhewyDmOMBqZq/ka"}}}
