// A block that the chain does not have is refused.
// status: 500
>> {"jsonrpc":"2.0","id":1,"method":"v3.blockProof","params":{"seqno":5,"root_hash":"TRkWgdCO0RULOeL9d+y4gp4BVHwxUZlqML1lINyvQV8=","file_hash":"hAASLR74YmXFHgggnrmsnxUgrvh6wxMC2f9XOs2grxk=","to_seqno":6}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"LITE_SERVER_UNKNOWN: proof source masterchain block (-1,8000000000000000,5):4D191681D08ED1150B39E2FD77ECB8829E01547C3151996A30BD6520DCAF415F:8400122D1EF86265C51E08209EB9AC9F1520AEF87AC31302D9FF573ACDA0AF19 is unknown from the perspective of reference block (-1,8000000000000000,142):248B4D9013679DF5F4AAF439892FFACE73D2A37B3D1CB47B6B70D093776D7677:573A00CEF9ED62F025DC6B595F13D31D734981E93021B8F5E29A069835767348","data":{"kind":"CHAIN"}}}
