package dev.gatehouse.perf.plan;

import dev.gatehouse.perf.plan.Wish.Storage;

/**
 * Nodes, memory and sizes of stores. docs/explanation/sizing.md has the same formulas.
 *
 * @param idpCpu CPU seconds of the identity providers in a second
 * @param gatewayCpu the same of the gateways
 * @param directoryCpu the same of the directory
 * @param idpNodes nodes, spare ones among them
 * @param idpSessionBytes memory for sessions at one identity provider's node
 * @param gatewaySessionBytes the same at one gateway's node
 * @param missShare of requests to pages whose session the gateway reads from Valkey
 * @param storeBytes what sessions take on one node's disk, or in Valkey
 * @param bitsPerSecond what the gateways send
 */
record Plan(
    double idpCpu, double gatewayCpu, double directoryCpu, int idpNodes, int gatewayNodes, double idpSessionBytes,
    double gatewaySessionBytes, double missShare, double storeBytes, double bitsPerSecond) {

  static Plan of(Wish wish, Costs costs, SharedCosts shared) {
    boolean isShared = wish.storage() == Storage.SHARED;
    double login = isShared ? shared.login().value() : 1;
    double page = (wish.cached() ? costs.cachedPage() : costs.passedPage()) * (isShared ? shared.page().value() : 1);
    double idpCpu = wish.logins() * costs.loginIdp() * login;
    NearCosts near = shared.near();
    double missShare = isShared ? near.missShare(wish.sessions()) : 0;
    double gatewayCpu = wish.logins() * costs.loginSp() * login + wish.hits() * (page + missShare * near.miss().value());
    int idpNodes = nodes(idpCpu, wish);
    int gatewayNodes = nodes(gatewayCpu, wish);
    // Embedded storage belongs to its node: a person's sessions are at one node. A near cache holds what its node serves: with requests
    // spread over all nodes that is any session at any node, up to its size.
    double idpSessions = wish.sessions() / idpNodes;
    double gatewaySessions = wish.sessions() / gatewayNodes;
    double kept = near.kept(wish.sessions());
    return new Plan(
        idpCpu, gatewayCpu, wish.logins() * costs.loginDirectory(), idpNodes, gatewayNodes,
        isShared ? kept * near.idpBytes().value() : idpSessions * costs.idpSession().resident(),
        isShared ? kept * near.appBytes().value() : gatewaySessions * costs.appSession().resident(), missShare,
        isShared
            ? wish.sessions() * shared.valkeyBytes().value()
            : Math.max(idpSessions * costs.idpSession().disk(), gatewaySessions * costs.appSession().disk()),
        wish.hits() * wish.pageBytes() * 8);
  }

  /** A role that does nothing still has a node and its spare. */
  private static int nodes(double cpu, Wish wish) {
    return Math.max(1, (int) Math.ceil(cpu / (wish.nodes().cores() * wish.nodes().utilisation()))) + wish.nodes().spare();
  }
}
