package dev.gatehouse.idp.agent.offline;

/**
 * What is kept for days without a server.
 *
 * @param people for whom codes are there that count now
 * @param days that are left to them, all together
 * @param uploads attempts that the realm was not told about yet
 * @param isKnown whether the realm knew this agent when it last said so
 */
public record HeldCounts(int people, double days, int uploads, boolean isKnown) {}
