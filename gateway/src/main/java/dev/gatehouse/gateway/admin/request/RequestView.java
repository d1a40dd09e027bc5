package dev.gatehouse.gateway.admin.request;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;

/** A request by its id. */
@Schema(name = "RequestTrace")
public record RequestView(
    String requestId,
    @Schema(description = "Its refusals, the newest first; several, if a proxy sent the id twice") List<RefusalView> refusals,
    @Schema(description = "Its events, the newest first, each as its line in the audit log") List<Map<String, Object>> events,
    @Schema(description = "Whether all events but those of the last seconds are in the index") boolean complete) {}
