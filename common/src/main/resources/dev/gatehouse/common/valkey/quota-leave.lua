-- KEYS: see limited.lua, of which there is no value. ARGV: entry, prefix of the entries of a holder. Returns 1, or 0 if there is no such
-- entry.
local present = redis.call('HEXISTS', claims, ARGV[1])
leave(ARGV[1], ARGV[2])
return {present}
