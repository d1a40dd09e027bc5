package dev.gatehouse.idp.saml.artifact;

import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IndexedEndpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.List;
import java.util.stream.IntStream;

/**
 * This node among those that share the realm's URLs. An artifact contains the index of the node that holds its message,
 * and metadata lists where each node resolves artifacts (SAML Bindings 3.6.4, Metadata 2.4.3).
 *
 * @param index of this node, from 0
 */
public record ArtifactNode(int index) {

  /** The path below {@code /realms/{realm}/}. */
  public static final String PATH = "saml/artifact";

  /** The address at which this node resolves artifacts, as in our metadata. */
  String location(RealmRequest request) {
    return location(request.idp(), request.realm().name(), index);
  }

  /** The endpoints in our metadata, by index; the first node's is the default. */
  public static List<IndexedEndpoint> endpoints(RealmRequest request) {
    return IntStream.range(0, request.idp().artifactNodes().size())
        .mapToObj(
            i ->
                new IndexedEndpoint(
                    i, i == 0, Binding.SOAP, location(request.idp(), request.realm().name(), i)))
        .toList();
  }

  private static String location(IdpConfig idp, String realm, int index) {
    return idp.artifactNodes().get(index) + "/realms/" + realm + "/" + PATH;
  }
}
