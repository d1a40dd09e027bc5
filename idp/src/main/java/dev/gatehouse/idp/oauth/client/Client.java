package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.idp.endpoint.RealmRequest;

/** The current state of a client. */
public record Client(ClientConfig config, Origin origin) {

  /** Where a client comes from. */
  public enum Origin {
    CONFIGURED,
    /** It registered at run time (RFC 7591). */
    REGISTERED,
    /** It is a part of this node. */
    BUILT_IN
  }

  /** @param registered whether it registered at run time (RFC 7591); otherwise it is configured */
  public Client(ClientConfig config, boolean registered) {
    this(config, registered ? Origin.REGISTERED : Origin.CONFIGURED);
  }

  public String id() {
    return config.clientId();
  }

  public boolean may(GrantType grant) {
    return config.permissions().grants().contains(grant);
  }

  /** Returns whether its access tokens may be for the resource (RFC 8707): one of its own, or our issuer, as without the parameter. */
  public boolean mayHaveTokensFor(RealmRequest request, String resource) {
    return config.permissions().resources().contains(resource) || resource.equals(request.entityId());
  }
}
