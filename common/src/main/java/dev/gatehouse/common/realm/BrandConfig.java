package dev.gatehouse.common.realm;

import java.util.Optional;

/**
 * How a realm's pages look.
 *
 * @param displayName the name that pages show
 * @param accent a CSS colour as {@code #rrggbb}
 * @param logo a {@code data:} URL of an image (made from the configured file, at most 64 KB)
 */
public record BrandConfig(String displayName, String accent, Optional<String> logo) {}
