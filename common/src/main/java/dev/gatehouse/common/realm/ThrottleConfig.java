package dev.gatehouse.common.realm;

import java.time.Duration;

/**
 * Limits on guessing.
 *
 * @param perAccount wrong passwords for one account within {@code window} after which further tries are refused without
 *     verification; counted for each {@code GuessSource}
 * @param perAddress wrong passwords of strangers from one address (IPv6: one /64) within {@code window}
 * @param window the period in which failures are counted; a success resets the account's own count
 */
public record ThrottleConfig(int perAccount, int perAddress, Duration window) {}
