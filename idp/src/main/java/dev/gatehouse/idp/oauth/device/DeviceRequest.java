package dev.gatehouse.idp.oauth.device;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * What a device asked for, waiting for a person.
 *
 * @param userCode its letters
 * @param expiresAt until when the person may answer and the device may ask
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
