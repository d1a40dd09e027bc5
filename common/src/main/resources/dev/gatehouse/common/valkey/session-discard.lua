-- KEYS: value, expiry index, idle end. ARGV: time before which the session must have expired, member. For values that cannot be read: entries of other
-- indexes stay, and lead to nothing.
local expiry = redis.call('ZSCORE', KEYS[2], ARGV[2])
if not expiry or tonumber(expiry) > tonumber(ARGV[1]) then
  return {0}
end
redis.call('DEL', KEYS[1], KEYS[3])
redis.call('ZREM', KEYS[2], ARGV[2])
return {1}
