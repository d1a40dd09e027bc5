package dev.gatehouse.common.federation;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.Optional;

/** A person of ours and the name that stands for them between us and one partner. */
public record NamePair(String partner, PersonId person, String name, Optional<String> spProvidedId, Instant since) {}
