#!/usr/bin/env python3
"""A minimal desktop tray: accepts items registered through org.kde.StatusNotifierWatcher and records what they show.

usage: status-notifier-watcher.py FILE COMMAND...   starts COMMAND once it answers, and ends with it
"""
import json
import subprocess
import sys

from gi.repository import Gio, GLib

INTERFACE = """<node><interface name="org.kde.StatusNotifierWatcher">
  <method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
  <method name="RegisterStatusNotifierHost"><arg type="s" direction="in"/></method>
  <property name="RegisteredStatusNotifierItems" type="as" access="read"/>
  <property name="IsStatusNotifierHostRegistered" type="b" access="read"/>
  <property name="ProtocolVersion" type="i" access="read"/>
  <signal name="StatusNotifierItemRegistered"><arg type="s"/></signal>
</interface></node>"""
PROPERTIES = {
    "RegisteredStatusNotifierItems": GLib.Variant("as", []),
    "IsStatusNotifierHostRegistered": GLib.Variant("b", True),
    "ProtocolVersion": GLib.Variant("i", 0),
}
path, command = sys.argv[1], sys.argv[2:]
loop = GLib.MainLoop()


def look(bus, owner, place):
    """Returns the current icon and words of a registered item."""

    def taken(_bus, result):
        try:
            (shown,) = bus.call_finish(result)
        except GLib.Error:
            return
        icons = [[width, height, len(pixels)] for width, height, pixels in shown.get("IconPixmap", [])]
        about = {"id": shown.get("Id"), "icons": icons, "iconName": shown.get("IconName"), "toolTip": shown.get("ToolTip")}
        with open(path, "a", encoding="utf8") as file:
            file.write(json.dumps(about, default=str) + "\n")

    asked = GLib.Variant("(s)", ("org.kde.StatusNotifierItem",))
    bus.call(owner, place, "org.freedesktop.DBus.Properties", "GetAll", asked, None, 0, -1, None, taken)


def called(bus, sender, _path, _interface, method, given, invocation):
    invocation.return_value(None)
    if method != "RegisterStatusNotifierItem":
        return
    (name,) = given
    owner, place = (sender, name) if name.startswith("/") else (name, "/StatusNotifierItem")
    look(bus, owner, place)
    bus.signal_subscribe(
        owner, "org.kde.StatusNotifierItem", None, place, None, 0, lambda *_: look(bus, owner, place)
    )


def named(bus, _name):
    child = subprocess.Popen(command)
    GLib.child_watch_add(GLib.PRIORITY_DEFAULT, child.pid, lambda *_: loop.quit())


def acquired(bus, _name):
    node = Gio.DBusNodeInfo.new_for_xml(INTERFACE)
    read = lambda _bus, _sender, _path, _interface, name: PROPERTIES[name]
    bus.register_object("/StatusNotifierWatcher", node.interfaces[0], called, read, None)


Gio.bus_own_name(Gio.BusType.SESSION, "org.kde.StatusNotifierWatcher", 0, acquired, named, None)
loop.run()
