package dev.gatehouse.gateway.admin.web;

/** A cell of a table (RFC 4180) that spreadsheets open. */
public final class SheetCell {

  private SheetCell() {}

  /** A spreadsheet takes text that begins with one of these for a formula; a person may have typed it in as a name. */
  public static String of(String value) {
    boolean isFormula = !value.isEmpty() && "=+-@\t\r\n＝＋－＠".indexOf(value.charAt(0)) >= 0 && !value.equals("-");
    String text = isFormula ? "'" + value : value;
    return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
