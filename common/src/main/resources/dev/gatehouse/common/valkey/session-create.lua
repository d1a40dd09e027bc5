-- KEYS: value, expiry index, realm index, idle end. ARGV: now, value, expiry, member, number of index entries, then pairs of bucket and entry.
local old = redis.call('GET', KEYS[1])
if old and struct.unpack('>I8', old, 9) > tonumber(ARGV[1]) then
  return {0}
end
local idle = redis.call('GET', KEYS[4])
if old and idle and string.sub(idle, 1, 8) == string.sub(old, 1, 8) and struct.unpack('>I8', idle, 9) > tonumber(ARGV[1]) then
  return {0}
end
redis.call('DEL', KEYS[4])
redis.call('SET', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[4])
redis.call('ZADD', KEYS[3], 0, ARGV[4])
for i = 6, 5 + 2 * tonumber(ARGV[5]), 2 do
  redis.call('ZADD', ARGV[i], 0, ARGV[i + 1])
end
return {1}
