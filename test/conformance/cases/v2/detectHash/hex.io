// A hash in hex, in any case.
// any server
>> {"jsonrpc":"2.0","id":1,"method":"detectHash","params":{"hash":"08F504E165DE1094FE0F0CF57D8FEB92B796BD89EC3ADDC8E388B51B9A2324F3"}}
<< {"jsonrpc":"2.0","id":1,"result":{"@type":"ext.utils.detectedHash","b64":"CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=","b64url":"CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM","hex":"08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3"}}
