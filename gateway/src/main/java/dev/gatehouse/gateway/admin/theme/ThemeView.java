package dev.gatehouse.gateway.admin.theme;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;
import java.util.Optional;

/** The appearance of a realm's pages. What is absent is as ours. */
@Schema(name = "Theme")
public record ThemeView(
    @Schema(description = "The name that pages show", example = "Example Inc") Optional<String> displayName,
    @Schema(description = "The colour of buttons and links", example = "#1f5fa8") Optional<String> accent,
    @Schema(description = "`background`, `card` and `text` for light pages", example = "{\"card\": \"#ffffff\"}")
        Optional<Map<String, String>> light,
    @Schema(description = "`background`, `card` and `text` for dark pages", example = "{\"card\": \"#1c2027\"}")
        Optional<Map<String, String>> dark,
    @Schema(description = "A png, jpeg, webp or svg image of at most 64 KB, in base64") Optional<String> logo,
    @Schema(description = "Texts by their keys, by language", example = "{\"en\": {\"login.title\": \"Welcome\"}}")
        Optional<Map<String, Map<String, String>>> texts,
    @Schema(description = "Templates by the names of pages; begin with ours", example = "{}") Optional<Map<String, String>> templates) {}
