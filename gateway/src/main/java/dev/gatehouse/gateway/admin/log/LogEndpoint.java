package dev.gatehouse.gateway.admin.log;

import ch.qos.logback.classic.Level;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.log.LogLevels.State;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/logs}: changes levels of loggers for a while. */
@RestController
@RequestMapping(path = "/admin/v1/logs", produces = "application/json")
@Tag(name = "logs", description = "Levels of the log of this node, until a time or a restart")
final class LogEndpoint {

  private static final Map<String, Level> LEVELS =
      Map.of("TRACE", Level.TRACE, "DEBUG", Level.DEBUG, "INFO", Level.INFO, "WARN", Level.WARN, "ERROR", Level.ERROR, "OFF", Level.OFF);

  /** The level of a logger. */
  @Schema(name = "LogLevel")
  record LevelView(
      @Schema(example = "dev.gatehouse.sp") String logger,
      @Schema(allowableValues = {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"}) String level,
      @Schema(description = "When the level of the start returns; absent if it is in use") Optional<Instant> until) {

    static LevelView of(State state) {
      return new LevelView(state.logger(), state.level(), state.until());
    }
  }

  /** The loggers that differ from the start. */
  @Schema(name = "LogLevels")
  record LevelList(List<LevelView> loggers) {}

  /** A wanted level. */
  @Schema(name = "LogLevelChange")
  record LevelChange(
      @Schema(allowableValues = {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"}) String level,
      @Schema(description = "When it ends; default: in an hour, at most in a day") Optional<Instant> until) {}

  private final LogLevels levels;
  private final AdminAudit audit;
  private final InstantSource time;

  LogEndpoint(LogLevels levels, AdminAudit audit, InstantSource time) {
    this.levels = levels;
    this.audit = audit;
    this.time = time;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "listLogLevels", summary = "The loggers whose levels were changed")
  LevelList list() {
    return new LevelList(levels.changed().stream().map(LevelView::of).toList());
  }

  @GetMapping("/{logger}")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "getLogLevel", summary = "The level of a logger, its own or that of its parents")
  LevelView get(@PathVariable("logger") String logger) {
    return LevelView.of(levels.state(named(logger)));
  }

  @PutMapping("/{logger}")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(
      operationId = "setLogLevel",
      summary = "Change the level of a logger for a while",
      description = "DEBUG and TRACE are for loggers below dev.gatehouse only: libraries write secrets at these levels.")
  @ApiResponse(responseCode = "200", description = "The level in use from now on")
  @ApiResponse(responseCode = "409", description = "Too many loggers differ already")
  LevelView set(
      @PathVariable("logger") String logger,
      @RequestBody LevelChange wanted,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    String name = named(logger);
    Level level = level(wanted.level());
    if (!LogLevels.isHarmless(name, level)) {
      throw new BadRequest(
          "`level` of " + name + " is at least INFO: below it, libraries write passwords, cookies and tokens. DEBUG and TRACE are for"
              + " dev.gatehouse and below.");
    }
    Instant until = until(wanted.until());
    String former = levels.state(name).level();
    audit.record(
        AdminRights.NODE, administrator, "log.level",
        Map.of("logger", name, "before", former, "after", level.levelStr, "until", until.toString()));
    if (!levels.set(name, level, until)) {
      throw new Conflict("A hundred loggers differ already: DELETE some of them.");
    }
    return LevelView.of(levels.state(name));
  }

  @DeleteMapping("/{logger}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "resetLogLevel", summary = "Return to the level of the start")
  void reset(
      @PathVariable("logger") String logger,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    String name = named(logger);
    audit.record(
        AdminRights.NODE, administrator, "log.level.reset", Map.of("logger", name, "before", levels.state(name).level()));
    if (!levels.reset(name)) {
      throw new NotFound("The level of " + name + " was not changed.");
    }
  }

  private static String named(String logger) {
    if (!LogLevels.isName(logger)) {
      throw new BadRequest("A logger has a name like dev.gatehouse.sp.");
    }
    return logger;
  }

  /** Jackson passes null for a missing property. */
  private static Level level(@Nullable String word) {
    return Optional.ofNullable(word)
        .flatMap(given -> Optional.ofNullable(LEVELS.get(given)))
        .orElseThrow(() -> new BadRequest("`level` is TRACE, DEBUG, INFO, WARN, ERROR or OFF."));
  }

  private Instant until(@Nullable Optional<Instant> wanted) {
    Instant now = time.instant();
    Instant until = wanted == null ? now.plus(LogLevels.USUAL) : wanted.orElse(now.plus(LogLevels.USUAL));
    if (!until.isAfter(now) || until.isAfter(now.plus(LogLevels.LONGEST))) {
      throw new BadRequest("`until` is a time within the next 24 hours, like " + now.plus(LogLevels.USUAL) + ".");
    }
    return until;
  }
}
