-- KEYS: see limited.lua. ARGV: now as digits, now as eight bytes, entry, prefix of the entries of a network.
local value = redis.call('GET', KEYS[1])
if not value or struct.unpack('>I8', value, 10) <= tonumber(ARGV[1]) then
  return {0}
end
if string.byte(value, 1) == 1 then
  return {2, string.sub(value, 18, 25)}
end
redis.call('SET', KEYS[1], string.char(1) .. string.sub(value, 2, 17) .. ARGV[2])
leave(ARGV[3], ARGV[4])
return {1, value}
