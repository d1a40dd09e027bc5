package dev.gatehouse.idp.oauth.device;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A device's request that waits for a person.
 *
 * @param userCode its letters
 * @param expiresAt the time until which the person may answer and the device may poll
 */
record DeviceRequest(
    String realm,
    String clientId,
    Set<String> scopes,
    List<String> resources,
    String userCode,
    Instant expiresAt) {

  DeviceRequest {
    scopes = Set.copyOf(scopes);
    resources = List.copyOf(resources);
  }
}
