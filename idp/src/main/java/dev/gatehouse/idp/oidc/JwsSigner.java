package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.Realm;

/** Signs JWTs with the realm's keys, in compact form (RFC 7515, section 7.1). */
@FunctionalInterface
public interface JwsSigner {

  /**
   * @param algorithm never HS256
   * @param type the header's {@code typ}, for example {@code at+jwt} or {@code JWT}
   * @param claims JSON in UTF-8
   */
  String sign(Realm realm, JwsName algorithm, String type, byte[] claims);
}
