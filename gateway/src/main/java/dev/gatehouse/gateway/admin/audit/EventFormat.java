package dev.gatehouse.gateway.admin.audit;

import dev.gatehouse.gateway.admin.web.BadRequest;
import java.nio.charset.StandardCharsets;

/** The formats in which events are exported. */
enum EventFormat {
  JSONL("application/jsonl", "") {
    @Override
    byte[] line(byte[] event) {
      return event;
    }
  },
  CSV("text/csv;charset=utf-8", EventTable.HEADING + "\n") {
    @Override
    byte[] line(byte[] event) {
      return EventTable.row(event).getBytes(StandardCharsets.UTF_8);
    }
  },
  CEF("text/plain;charset=utf-8", "") {
    @Override
    byte[] line(byte[] event) {
      return CommonEventFormat.line(event).getBytes(StandardCharsets.UTF_8);
    }
  };

  private final String contentType;
  private final String heading;

  EventFormat(String contentType, String heading) {
    this.contentType = contentType;
    this.heading = heading;
  }

  String contentType() {
    return contentType;
  }

  /** Returns what stands before the first event, with its line feed. */
  String heading() {
    return heading;
  }

  /**
   * Returns an event without the line feed.
   *
   * @param event its line of the audit log
   */
  abstract byte[] line(byte[] event);

  static EventFormat of(String word) {
    return switch (word) {
      case "jsonl" -> JSONL;
      case "csv" -> CSV;
      case "cef" -> CEF;
      default -> throw new BadRequest("format is cef, csv or jsonl.");
    };
  }
}
