@echo off
"%~dp0resources\runtime\node.exe" "%~dp0resources\command\bin\pulseward" %*
