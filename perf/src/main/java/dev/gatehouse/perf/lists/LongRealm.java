package dev.gatehouse.perf.lists;

/**
 * A realm with as many partners, clients and routes. Nothing answers at the addresses in it.
 *
 * @param idp the port of its identity provider
 * @param gateway the port of its apps
 */
record LongRealm(int entries, int idp, int gateway) {

  /** Returns the realm's file. */
  String text() {
    StringBuilder text =
        new StringBuilder(
            """
            idp:
              publicUrl: http://127.0.0.1:%d
            sp:
              publicUrl: http://127.0.0.1:%d
              identityProvider: https://partner0.example.org
            directory:
              urls: ["ldap://127.0.0.1:1"]
              base: dc=example,dc=org
              filter: (uid={name})
            """
                .formatted(idp, gateway));
    text.append("partners:\n");
    for (int i = 0; i < entries; i++) {
      String name = "https://partner" + i + ".example.org";
      text.append("  - {entityId: \"%s\", displayName: Partner %d, metadata: {url: \"%s/metadata\"}}\n".formatted(name, i, name));
    }
    text.append("clients:\n");
    for (int i = 0; i < entries; i++) {
      text.append("  - {clientId: client%d, redirectUris: [\"https://client%d.example.org/callback\"]}\n".formatted(i, i));
    }
    text.append("routes:\n");
    for (int i = 0; i < entries; i++) {
      text.append("  - {path: /route%d/, upstream: \"http://127.0.0.1:1\", access: public}\n".formatted(i));
    }
    return text.toString();
  }
}
