package dev.gatehouse.perf.nodes;

/**
 * The commands that Valkey did for the transactions of some seconds. They do not depend on how busy the machine is, as CPU time does.
 *
 * @param server the nodes
 * @param each commands of one transaction, those of scripts included
 */
record ValkeyCommands(String server, double each) {}
