package dev.gatehouse.idp.saml.artifact;

import dev.gatehouse.common.backchannel.ArtifactMap;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.WrittenMessage;
import dev.gatehouse.idp.endpoint.RealmRequest;

/** The messages that this node holds for partners. Each is handed out once, within a minute. */
public final class ArtifactStore {

  /** The name of the store. */
  public static final String STORE = "idp-artifacts";

  private final ArtifactMap held;
  private final ArtifactNode node;

  public ArtifactStore(ArtifactMap held, ArtifactNode node) {
    this.held = held;
    this.node = node;
  }

  public Artifact hold(RealmRequest request, String partner, WrittenMessage message) {
    return held.hold(request.entityId(), node.index(), partner, message);
  }

  /** As {@link #hold}, within the limits for clients that are not authenticated. */
  public ArtifactMap.Holding holdForStranger(RealmRequest request, String partner, WrittenMessage message) {
    return held.holdFor(request.http().client(), request.entityId(), node.index(), partner, message);
  }
}
