package dev.gatehouse.common.directory;

import java.time.Instant;
import java.util.Optional;

/** A person of ours and their name between us and one partner. */
public record NamePair(String partner, PersonId person, String name, Optional<String> spProvidedId, Instant since) {}
