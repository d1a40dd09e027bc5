-- KEYS: failed permits by their end, open permits. ARGV: now, 'count' or 'forget'. Returns 1 and the number of failed permits that count.
local failed, open = KEYS[1], KEYS[2]
local now = tonumber(ARGV[1])
redis.call('ZREMRANGEBYSCORE', failed, '-inf', now)
local failures = redis.call('ZCARD', failed)
local forget = ARGV[2] == 'forget'
for _, member in ipairs(redis.call('ZRANGE', open, '-inf', now, 'BYSCORE')) do
  if tonumber(string.match(member, ':(%d+)$')) > now then
    failures = failures + 1
  end
  if forget then
    redis.call('ZREM', open, member)
  end
end
if forget then
  redis.call('DEL', failed)
end
return {1, failures}
