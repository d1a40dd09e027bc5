-- KEYS: due index. ARGV: now, end of the lease, maximum number, prefix of values. Returns members and values in turn.
local members = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[3])
local claimed = {#members}
for _, member in ipairs(members) do
  redis.call('ZADD', KEYS[1], ARGV[2], member)
  claimed[#claimed + 1] = member
  claimed[#claimed + 1] = redis.call('GET', ARGV[4] .. member)
end
return claimed
