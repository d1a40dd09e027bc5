package dev.gatehouse.idp.agent.server;

/**
 * A challenge and the server that gave it, which is asked first about its answer.
 *
 * @param server its place in the list; -1 if the text does not say
 */
record Challenge(int server, String reference) {

  static Challenge of(String text) {
    int colon = text.indexOf(':');
    boolean hasServer = colon > 0 && colon <= 3 && text.substring(0, colon).chars().allMatch(c -> c >= '0' && c <= '9');
    return hasServer ? new Challenge(Integer.parseInt(text.substring(0, colon)), text.substring(colon + 1)) : new Challenge(-1, text);
  }

  String text() {
    return server + ":" + reference;
  }
}
