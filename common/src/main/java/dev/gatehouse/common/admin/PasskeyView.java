package dev.gatehouse.common.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * A passkey for administrators.
 *
 * @param id the credential ID, base64url
 * @param label the person's own name for it; may be empty
 * @param model the authenticator's AAGUID, as it says itself
 * @param strong whether it counts for more than a password
 * @param synced whether its key may be on several devices
 */
public record PasskeyView(
    String id, String label, String model, boolean strong, boolean synced, Instant createdAt, Optional<Instant> usedAt) {}
